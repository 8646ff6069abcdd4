import type { InjectionKind } from "../contracts/event.ts";

/** What a text says when it speaks to the model instead of telling it something; matched against folded lower case. */
export const suspicionPatterns: readonly (readonly [InjectionKind, readonly RegExp[]])[] = [
  [
    "override",
    [
      /\b(?:ignore|disregard|forget|override|discard|do not follow|don't follow|stop following|no longer follow|supersedes?|replaces?)\b[^.\n]{0,40}\b(?:previous|prior|above|earlier|preceding|all|any|your|system|these|those|original|other|safety)\b[^.\n]{0,30}\b(?:instructions?|prompts?|rules|directions|directives|guidelines|orders|constraints|guardrails)\b/u,
      /\b(?:new|updated|real|actual|true|hidden|secret|priority)\s+(?:system\s+)?(?:instructions?|directives?|orders)\s*(?:for (?:you|the (?:ai|assistant|model|agent))\b[^:\n]{0,20})?:/u,
      /\b(?:instructions?|note|message|attention|notice|memo)\b[^.\n]{0,10}\b(?:to|for) (?:the |any |all )?(?:ai|llms?|language models?|assistants?|agents?|models?|bots?)\b/u,
      /(?:忽略|无视|忘记|忘掉|不要理会|不必理会|不要遵守|不再遵守|停止遵循|抛开|放弃|作废|推翻|覆盖)[^。\n]{0,20}(?:指令|指示|规则|提示词?|要求|约束|设定|命令|原则)/u,
      /(?:新的?|最新|真正的?|隐藏|最高优先级)(?:的)?(?:系统)?(?:指令|指示|命令)[^。\n]{0,6}:/u,
      /(?:致|写给|告知)[^。\n]{0,6}(?:ai|人工智能|语言模型|大模型|模型|助手|智能体)/u,
    ],
  ],
  [
    "role",
    [
      /<\|[^|>\n]{0,20}(?:im_start|im_end|system|user|assistant|endoftext|eot_id|start_header_id|begin_of_text)[^|>\n]{0,20}\|>/u,
      /\[\/?inst\]|<<\/?sys>>|<\/?(?:system|assistant|developer)(?:[-_ ](?:prompt|message|reminder|instructions?))?>/u,
      /^\W{0,12}(?:system|developer|root|admin(?:istrator)?)\s*(?:prompt|message|override|instructions?|directive)\W{0,4}:/mu,
      /^\W{0,12}(?:system|developer|assistant)\W{0,4}:\W{0,4}(?:you|from now|the (?:user|assistant|model|agent)|ignore|new|call|i (?:will|must|should))\b/mu,
      /"role"\s{0,8}:\s{0,8}"(?:system|developer|assistant)"|^[^\S\n]{0,12}-?[^\S\n]{0,12}role\s{0,4}:\s{0,4}["']?(?:system|developer|assistant)\b/mu,
      /\byou are (?:now|no longer) (?:in |an? |the |my )?[^.\n]{0,30}\b(?:mode|assistant|model|ai|agent|admin|administrator|root|persona|developer|unrestricted|unfiltered|bound)\b/u,
      /\b(?:pretend (?:to be|that you|you are)|act as (?:if you (?:are|were)|an? (?:unrestricted|unfiltered|different|new|evil|root|admin))|enter (?:developer|debug|god|admin|maintenance|unrestricted) mode|jailbreak)\b/u,
      /你(?:现在|从现在(?:起|开始)|的新身份)[^。\n]{0,6}(?:是|变成|成为|扮演|处于|进入)[^。\n]{0,20}(?:管理员|模式|助手|模型|系统|角色|ai|智能体)/u,
      /(?:请?扮演|假装(?:你)?(?:是|成)|切换(?:到|为)|进入)[^。\n]{0,15}(?:开发者|管理员|调试|无限制|越狱|上帝|维护)[^。\n]{0,4}(?:模式|角色|身份)?/u,
      /^\W{0,12}(?:系统(?:提示词?|指令|级指令)|开发者(?:消息|指令)|最高指令|管理员指令)\W{0,4}:/mu,
    ],
  ],
  [
    "approval",
    [
      /\b(?:user|customer|human|operator|admin(?:istrator)?|owner|manager|supervisor|person)\b[^.\n]{0,25}\b(?:has|have|already|hereby)\b[^.\n]{0,20}\b(?:approved|authori[sz]ed|consented|agreed|signed off)\b[^.\n]{0,30}\b(?:calls?|actions?|tools?|commands?|operations?|steps?|everything|anything|all of)\b/u,
      /\b(?:approval|confirmation|permission|consent)\b[^.\n]{0,12}\b(?:already|is|was|has been)\b[^.\n]{0,12}\b(?:granted|given|waived|obtained)\b/u,
      /\b(?:without|skip|bypass|no need (?:for|to)|do not|don't)\b[^.\n]{0,16}\b(?:asking (?:the user|a person|anyone|for (?:approval|confirmation|permission))|ask (?:the user|for (?:approval|confirmation|permission))|human approval|the approval)\b/u,
      /"?approved"?\s*[:=]\s*true\b|\bapproval\.given\b/u,
      /(?:用户|客户|管理员|主管|负责人|人类|操作员|经理)[^。\n]{0,10}(?:已经?|均已|都已)[^。\n]{0,8}(?:批准|同意|授权|许可|审批通过)[^。\n]{0,20}(?:调用|操作|工具|执行|动作|所有|全部|转账)/u,
      /(?:无需|不需要|不必|跳过|绕过|不用)[^。\n]{0,10}(?:人工|用户|再次|征求)[^。\n]{0,6}(?:确认|审批|批准|授权|同意|询问)/u,
    ],
  ],
  [
    "limits",
    [
      /\b(?:raise|increase|lift|remove|disable|extend|reset|double|bypass|turn off|switch off|ignore)\b[^.\n]{0,20}\b(?:your|the (?:agent|run|model|tool|assistant)(?:'s)?|tool|calls?|step|token|model|spending)[- ]?(?:[a-z]{1,30}[- ]){0,2}(?:limits?|budget|quota|permissions?|approvals?|guardrails?|restrictions?|policy|policies)\b/u,
      /\b(?:approval\W{1,4}never|dry[-_]?run\W{1,4}(?:false|off)|max(?:steps|calls(?:perstep)?|rounds)\W{1,4}\d|limits\.(?:modelcalls|toolcalls|tokens|usd|time)|(?:modelcalls|toolcalls)\W{1,4}\d)/u,
      /(?:提高|解除|取消|放宽|关闭|调高|移除|绕过|增加)[^。\n]{0,10}(?:调用|步数|工具|模型|令牌|权限|审批|你的)[^。\n]{0,8}(?:限制|上限|限额|次数|预算|审批|权限|策略)/u,
    ],
  ],
  [
    "tool-call",
    [
      /<\/?(?:antml:)?(?:tool[-_]?calls?|function[-_]?calls?|tool[-_]?use|invoke|tool[-_]?results?|tool[-_]?response|function)(?:\s|=|>|\/)/u,
      /<\|[^|>\n]{0,12}tool[^|>\n]{0,20}\|>/u,
      /"(?:tool_calls?|function_call|tool_use|tool_use_id|tool_call_id)"\s*:|"type"\s*:\s*"(?:tool_use|tool_result|function_call)"/u,
      /^\W{0,4}action input\W{0,4}:/mu,
      /\b(?:you (?:must|should|need to|have to|are required to)|now|immediately|at once|first|next|then|please)\b[^.\n]{0,25}\b(?:call|invoke|execute|run|trigger)\b[^.\n]{0,15}(?:\b(?:tool|function)\b|`[\w./-]{1,80}`|\b[a-z]{1,40}[/_.-][a-z][\w/-]{0,80}\s{0,4}\()/u,
      /(?:立即|马上|立刻|现在|请|必须|接着|务必|下一步)[^。\n]{0,12}(?:调用|执行|运行|触发)[^。\n]{0,24}(?:工具|函数|命令|接口|`)/u,
    ],
  ],
  [
    "secrets",
    [
      /(?<!never |not |don't |cannot |can't )\b(?:reveal|print|show|send|output|leak|dump|expose|include|tell|repeat|disclose|exfiltrate|post|upload|e-?mail|append|paste|forward|list)\b[^.\n]{0,40}(?:\b(?:api[ -]?keys?|secret keys?|secrets|env(?:ironment)? variables?|system prompts?|credentials|access tokens?|private keys?|passwords|your (?:initial |full |original )?(?:instructions|prompts?|configuration))\b|(?:^|\s)\.env\b)/u,
      /(?:输出|打印|告诉|发送|泄露|显示|列出|上传|复述|公开|附上|贴出)[^。\n]{0,20}(?:密钥|环境变量|系统提示词?|凭证|凭据|访问令牌|私钥|全部口令|你的指令)/u,
    ],
  ],
];
